import Type from 'typebox';
import { certificateWithKey, tlsFiles, url } from '../../option-fields.ts';
import type { ContainerManagerDriver } from '../container-manager.ts';

export const swarm: ContainerManagerDriver = {
  type: 'swarm',
  summary: 'Docker Swarm, through the Engine API of a manager',
  options: Type.Object(
    {
      server_url: url("The URL of a manager's Engine API.", ['http', 'https', 'tcp']),
      ...tlsFiles,
    },
    {
      additionalProperties: false,
      ...certificateWithKey,
    },
  ),
};
