import Type from 'typebox';
import { DockerEngine } from '../../../clients/docker/docker-engine.ts';
import { reading } from '../../../clients/reading.ts';
import { certificateWithKey, tlsFiles, tlsFilesOf, url } from '../../option-fields.ts';
import type { ContainerManagerDriver } from '../container-manager.ts';
import { openSwarm } from './open-swarm.ts';

const options = Type.Object(
  {
    server_url: url(
      'URL of the Engine API of a manager. `tcp` uses TLS if a TLS file is set. Without TLS, everyone who can reach the URL controls the swarm.',
      { schemes: ['http', 'https', 'tcp'] },
    ),
    ...tlsFiles,
  },
  {
    additionalProperties: false,
    ...certificateWithKey,
  },
);

/** Whoever gives them counts on being protected by them. */
const UNUSED_FILES = 'server_url is http, so the TLS files are not used: use https';

const readOptions = reading('the options of the swarm', options);

export const swarm: ContainerManagerDriver = {
  type: 'swarm',
  summary: 'Docker Swarm; Hostler uses the Engine API of a manager',
  options,
  identity: { server_url: undefined },
  open({ options: given, memory, connections, mayProceed }) {
    const { server_url, ...tls } = readOptions(given);
    const files = tlsFilesOf(tls);
    const areFilesUnused = server_url.startsWith('http:') && Object.values(files).some(Boolean);
    const engine = new DockerEngine({ url: server_url, files, connections, mayProceed });
    return openSwarm({ engine, memory }, areFilesUnused ? [UNUSED_FILES] : []);
  },
};
