import type { DockerEngine } from '../../../clients/docker/docker-engine.ts';
import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import type { HostTask } from '../../host-task.ts';
import { JOIN_SCRIPT, LEAVE_SCRIPT } from './host-scripts.ts';

interface Managers {
  /** `host:port`. */
  readonly addresses: readonly string[];
  /** What the scripts know them by. */
  readonly args: readonly string[];
}

async function managersOf(engine: DockerEngine): Promise<Managers> {
  const managers = (await engine.info()).Swarm.RemoteManagers ?? [];
  const known = managers.filter(({ Addr, NodeID }) => Addr !== '' && NodeID !== '');
  if (known.length === 0) throw new Error(`${engine.name} reports no swarm manager`);
  return {
    addresses: known.map(({ Addr }) => Addr),
    args: known.flatMap(({ Addr, NodeID }) => [NodeID, Addr]),
  };
}

/** What a host is to ask its Docker for, in one line. */
const joinRequest = (token: Secret, managers: readonly string[], address: Address): string =>
  JSON.stringify({
    JoinToken: token.reveal(),
    RemoteAddrs: managers,
    AdvertiseAddr: address,
    ListenAddr: address.includes(':') ? '[::]:2377' : '0.0.0.0:2377',
  });

/** By the API, since the command line of Docker takes the token only as an argument, which everybody on the host sees. */
export async function joinTask(engine: DockerEngine, address: Address): Promise<HostTask> {
  const [managers, token, nodes] = await Promise.all([
    managersOf(engine),
    engine.workerToken(),
    engine.nodes(),
  ]);
  const request = joinRequest(token, managers.addresses, address);
  const ids = nodes.map(({ ID }) => ID).join(' ');
  return {
    needs: ['docker', 'curl'],
    hint: 'install Docker Engine and curl on the host',
    commands: [
      {
        argv: ['sh', '-c', JOIN_SCRIPT, 'sh', ...managers.args],
        input: new Secret(`${request}\n${ids}\n`),
      },
    ],
  };
}

export async function leaveTask(engine: DockerEngine): Promise<HostTask> {
  const { args } = await managersOf(engine);
  return {
    needs: [],
    hint: '',
    commands: [{ argv: ['sh', '-c', LEAVE_SCRIPT, 'sh', ...args] }],
  };
}
