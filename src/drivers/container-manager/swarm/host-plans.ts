import type { Address } from '../../../domain/addresses/address.ts';
import { Secret } from '../../../domain/secret.ts';
import type { DockerClient } from '../../../integrations/docker/docker-client.ts';
import type { CommandPlan } from '../../command-plan.ts';

// What a host runs to come into a swarm and to go. Docker on a worker does not tell the ID of its swarm, but the managers that it
// knows: one in common means the same swarm.

/** Sets `state`, `node` (its ID, or `-`) and `is_here`: whether a swarm that it is in is that of the managers in the arguments. */
const READ_SWARM_STATE = `set -f
fail() { printf '%s ' "$@" >&2; printf '\\n' >&2; exit 1; }
look() {
  here=" $* " is_here=no
  seen=$(docker info --format '{{.Swarm.LocalNodeState}} {{or .Swarm.NodeID "-"}}{{range .Swarm.RemoteManagers}} {{or .NodeID .Addr}}{{end}}') ||
    fail 'docker info failed; check that Docker is running on the host'
  set -- $seen
  state=\${1:-unknown} node=\${2:--}
  for manager; do
    case $here in *" $manager "*) is_here=yes ;; esac
  done
}
`;

/**
 * Arguments: the managers of the swarm, by ID and by address. It reads two lines: what to ask Docker for, which has the token, so curl
 * reads it too; and the IDs of all nodes. A host that was removed as a node while it was away thinks that it still is one: it leaves first.
 */
export const JOIN_SCRIPT = `${READ_SWARM_STATE}IFS= read -r request && IFS= read -r nodes || fail 'the join request is missing'
look "$@"
case $state/$is_here/$node in
  inactive/*) ;;
  unknown/*) fail 'cannot parse the swarm state in docker info' ;;
  error/*) fail 'Docker reports an error of the swarm that the host is in (see docker info); run docker swarm leave --force on the host' ;;
  */no/*) fail 'the host is in another swarm; if it may leave, run docker swarm leave on the host' ;;
  pending/*/-) fail 'Docker is still trying to join; check that the host can reach the managers on port 2377' ;;
  *)
    case " $nodes " in *" $node "*) exit 0 ;; esac
    docker swarm leave >&2 || exit 1 ;;
esac
answer=$(printf '%s\\n' "$request" | curl -q -sS --noproxy '*' --max-time 60 --unix-socket /var/run/docker.sock \\
  -H 'Content-Type: application/json' --data-binary @- -w ' %{http_code}' http://docker/swarm/join) ||
  fail 'Docker does not respond at /var/run/docker.sock'
case $answer in
  *' 200') ;;
  *) fail 'Docker rejected the join:' $answer ;;
esac
`;

/** Arguments: as above. A manager stays in its swarm. */
export const LEAVE_SCRIPT = `${READ_SWARM_STATE}command -v docker >/dev/null 2>&1 || exit 0
look "$@"
[ "$(docker info --format '{{.Swarm.ControlAvailable}}')" != true ] || exit 0
case $state/$is_here in
  inactive/* | */no) exit 0 ;;
esac
docker swarm leave
`;

interface SwarmManagers {
  /** `host:port`. */
  readonly addresses: readonly string[];
  /** What the scripts know them by. */
  readonly args: readonly string[];
}

async function readManagers(engine: DockerClient): Promise<SwarmManagers> {
  const managers = (await engine.info()).Swarm.RemoteManagers ?? [];
  const known = managers.filter(({ Addr, NodeID }) => Addr !== '' && NodeID !== '');
  if (known.length === 0) throw new Error(`${engine.displayName} reports no swarm manager`);
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
export async function swarmJoinPlan(engine: DockerClient, address: Address): Promise<CommandPlan> {
  const [managers, token, nodes] = await Promise.all([
    readManagers(engine),
    engine.workerToken(),
    engine.listNodes(),
  ]);
  const request = joinRequest(token, managers.addresses, address);
  const ids = nodes.map(({ ID }) => ID).join(' ');
  return {
    requiredPrograms: ['docker', 'curl'],
    installHint: 'install Docker Engine and curl on the host',
    commands: [
      {
        argv: ['sh', '-c', JOIN_SCRIPT, 'sh', ...managers.args],
        input: new Secret(`${request}\n${ids}\n`),
      },
    ],
  };
}

export async function swarmLeavePlan(engine: DockerClient): Promise<CommandPlan> {
  const { args } = await readManagers(engine);
  return {
    requiredPrograms: [],
    installHint: '',
    commands: [{ argv: ['sh', '-c', LEAVE_SCRIPT, 'sh', ...args] }],
  };
}
