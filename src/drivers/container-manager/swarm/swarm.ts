import Type from 'typebox';
import { tlsFiles } from '../../../lib/option-fields.ts';
import type { ContainerManagerDriver } from '../container-manager.ts';

export const swarm: ContainerManagerDriver = {
  type: 'swarm',
  summary: 'Docker Swarm, through the Engine API of a manager',
  options: Type.Object(
    {
      server_url: Type.String({
        pattern: '^(https?|tcp)://([^\\s/?#@:[\\]]+|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?(/[^\\s]*)?$',
        maxLength: 2048,
        rule: 'must be an http, https or tcp URL without user name',
        description: "The URL of a manager's Engine API.",
      }),
      ...tlsFiles,
    },
    {
      additionalProperties: false,
      dependentRequired: {
        certificate_path: ['certificate_key_path'],
        certificate_key_path: ['certificate_path'],
      },
    },
  ),
};
