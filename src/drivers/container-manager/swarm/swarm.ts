import type { Static } from 'typebox';
import { DockerClient } from '../../../integrations/docker/docker-client.ts';
import { tlsClientOptions, tlsFileOptions, toTlsFiles, urlOption } from '../../option-schemas.ts';
import type { ContainerManager, ContainerManagerContext, ContainerManagerDriver } from '../container-manager.ts';
import { createSwarmManager } from './swarm-connection.ts';

const optionsSchema = tlsClientOptions({
  server_url: urlOption(
    'URL of the Engine API of a manager. `tcp` uses TLS if a TLS file is set. Without TLS, everyone who can reach the URL controls the swarm.',
    { schemes: ['http', 'https', 'tcp'] },
  ),
  ...tlsFileOptions,
});

const UNUSED_TLS_FILES = 'server_url is http, so the TLS files are not used: use https';

type Context = ContainerManagerContext<Static<typeof optionsSchema>>;

function openSwarm({ options, memory, connections, mayProceed }: Context): ContainerManager {
  const { server_url } = options;
  const files = toTlsFiles(options);
  const hasUnusedTlsFiles = server_url.startsWith('http:') && Object.values(files).some(Boolean);
  const engine = new DockerClient({ url: server_url, files, connections, mayProceed });
  return createSwarmManager({ engine, memory }, hasUnusedTlsFiles ? [UNUSED_TLS_FILES] : []);
}

export const swarm: ContainerManagerDriver = {
  type: 'swarm',
  summary: 'Docker Swarm; Hostler uses the Engine API of a manager',
  options: optionsSchema,
  immutableOptions: { server_url: undefined },
  open: openSwarm,
};
