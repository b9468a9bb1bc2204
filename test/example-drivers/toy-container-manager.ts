// A fictional container manager, added as described in `docs/contributing/add-a-container-manager.md`. It
// proves that a new driver needs no other changes. `toy-container-manager-server.ts` is its server.

import Type from 'typebox';
import type { Address } from '../../src/domain/addresses/address.ts';
import { isHostlerOwner } from '../../src/domain/rollout/operation-host.ts';
import { Secret } from '../../src/domain/secret.ts';
import type {
  ContainerManager,
  ContainerManagerContext,
  ContainerManagerDriver,
} from '../../src/drivers/container-manager/container-manager.ts';
import { secretOption, tlsFileOptions, urlOption } from '../../src/drivers/option-schemas.ts';
import { JsonClient } from '../../src/integrations/http/json-client.ts';
import { RemoteServerError } from '../../src/integrations/http/remote-error.ts';
import { schemaParser } from '../../src/integrations/http/schema-parser.ts';

const options = Type.Object(
  {
    server_url: urlOption('The URL of the toy.'),
    token: secretOption('The token with which hosts join.'),
    ca_path: tlsFileOptions.ca_path,
  },
  { additionalProperties: false },
);
const optionsOf = schemaParser('the options', options);

const Node = Type.Object({
  name: Type.String(),
  version: Type.Integer(),
  mark: Type.Union([Type.String(), Type.Null()]),
});
const nodeOf = schemaParser('a node of the toy', Node);

/** After a conflict the node is read again. */
const MAX_ATTEMPTS = 5;

/** Reads the token from standard input, so it is in no process list. */
export const JOIN = 'umask 077 && cat >/run/toy-token && exec toyd join --token-file /run/toy-token';

function openToy({ options, connections, mayProceed }: ContainerManagerContext): ContainerManager {
  const { server_url, token, ca_path } = optionsOf(options);
  const server = new JsonClient({ url: server_url, files: { caPath: ca_path }, connections, mayProceed });
  const path = (node: Address) => `/nodes/${encodeURIComponent(node)}`;
  const find = async (node: Address) => {
    const { status, body } = await server.request({ method: 'GET', path: path(node) });
    return status === 404 ? undefined : nodeOf(body);
  };
  const findExisting = async (node: Address) => {
    const found = await find(node);
    if (found === undefined) throw new Error(`${node} is not a node of this container manager`);
    return found;
  };
  /** Returns false after a conflict: the server accepts only the version that was read. */
  const setMark = async (node: Address, version: number, mark: string | null) => {
    const { status } = await server.request({
      method: 'PUT',
      path: path(node),
      body: { version, mark },
    });
    if (status !== 200 && status !== 409) throw new Error(`the toy responds with ${status}`);
    return status === 200;
  };

  return {
    checkConnection: async () => {
      const { status } = await server.request({ method: 'GET', path: '/' });
      return { version: '1', problems: status === 200 ? [] : [`the toy responds with ${status}`] };
    },
    joinPlan: async () => ({
      requires: { programs: ['toyd'], installHint: 'install toyd' },
      commands: [{ argv: ['sh', '-c', JOIN], input: new Secret(`${token}\n`) }],
    }),
    register: async ({ address }) => ((await find(address)) ? undefined : 'toyd has not registered yet'),
    remove: async node => void (await server.request({ method: 'DELETE', path: path(node) })),
    leavePlan: async () => ({ commands: [{ argv: ['rm', '-f', '/run/toy-token'] }] }),
    async report(node) {
      try {
        const found = await find(node);
        if (found === undefined) return { state: 'unknown' };
        const common = { state: 'registered', name: found.name, ready: true } as const;
        return found.mark === null
          ? { ...common, schedulable: true }
          : { ...common, schedulable: false, cordonedBy: found.mark };
      } catch (error) {
        if (error instanceof RemoteServerError) return { state: 'unavailable', reason: error.message };
        throw error;
      }
    },
    async cordon(node, owner) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const found = await findExisting(node);
        if (found.mark !== null && !isHostlerOwner(found.mark)) return 'cordoned_by_other';
        if (await setMark(node, found.version, owner)) return 'cordoned';
      }
      throw new Error(`${node} is changed concurrently`);
    },
    async uncordon(node, owner) {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
        const found = await find(node);
        if (found?.mark === null) return 'uncordoned';
        if (found?.mark !== owner) return 'not_owner';
        if (await setMark(node, found.version, null)) return 'uncordoned';
      }
      throw new Error(`${node} is changed concurrently`);
    },
    async drain(node) {
      await findExisting(node);
      return { state: 'drained' };
    },
    async checkDisruption(node) {
      await findExisting(node);
      return undefined;
    },
    controlPlane: async () => [],
  };
}

export const toy: ContainerManagerDriver = {
  type: 'toy',
  summary: 'A toy',
  options,
  unsupportedOperations: { deploy: 'the toy owns the systems of its nodes' },
  open: openToy,
};
