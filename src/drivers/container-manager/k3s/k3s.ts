import Type from 'typebox';
import { secret, tlsFiles, url } from '../../option-fields.ts';
import type { ContainerManagerDriver } from '../container-manager.ts';

export const k3s: ContainerManagerDriver = {
  type: 'k3s',
  summary: 'k3s, joined as agents',
  options: Type.Object(
    {
      server_url: url('The URL of the k3s server.'),
      token: Type.Optional(secret("The server's token, in its secure form.")),
      ca_path: tlsFiles.ca_path,
    },
    { additionalProperties: false },
  ),
};
