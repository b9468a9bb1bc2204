import type { Address } from '../../../domain/addresses/address.ts';
import { scriptArgv } from '../../../domain/command.ts';
import { Secret } from '../../../domain/secret.ts';
import type { DockerClient } from '../../../integrations/docker/docker-client.ts';
import type { CommandPlan } from '../../command-plan.ts';

// Scripts that join a host to a swarm and remove it. Docker on a worker does not report the swarm ID, only the known
// managers. One common manager means that it is the same swarm.

/** Sets `state`, `node` (its ID, or `-`) and `is_member`: in the swarm of the managers in the arguments. */
const READ_SWARM_STATE = `set -f
fail() { printf '%s ' "$@" >&2; printf '\\n' >&2; exit 1; }
read_swarm_state() {
  expected=" $* " is_member=no
  info=$(docker info --format '{{.Swarm.LocalNodeState}} {{or .Swarm.NodeID "-"}}{{range .Swarm.RemoteManagers}} {{or .NodeID .Addr}}{{end}}') ||
    fail 'docker info failed; check that Docker is running on the host'
  set -- $info
  state=\${1:-unknown} node=\${2:--}
  for manager; do
    case $expected in *" $manager "*) is_member=yes ;; esac
  done
}
`;

// Arguments: IDs and addresses of the swarm managers. Standard input: the join request as JSON with the token, then a
// line with the IDs of all nodes. A host that was removed while it was offline has to leave the swarm first.
export const JOIN_SCRIPT = `${READ_SWARM_STATE}IFS= read -r request && IFS= read -r nodes || fail 'the join request is missing'
read_swarm_state "$@"
case $state/$is_member/$node in
  inactive/*) ;;
  unknown/*) fail 'cannot parse the swarm state in docker info' ;;
  error/*) fail 'Docker reports an error of the swarm that the host is in (see docker info); run docker swarm leave --force on the host' ;;
  */no/*) fail 'the host is in another swarm; if it may leave, run docker swarm leave on the host' ;;
  pending/*/-) fail 'Docker is still trying to join; check that the host can reach the managers on port 2377' ;;
  *)
    case " $nodes " in *" $node "*) exit 0 ;; esac
    docker swarm leave >&2 || exit 1 ;;
esac
response=$(printf '%s\\n' "$request" | curl -q -sS --noproxy '*' --max-time 60 --unix-socket /var/run/docker.sock \\
  -H 'Content-Type: application/json' --data-binary @- -w ' %{http_code}' http://docker/swarm/join) ||
  fail 'Docker does not respond at /var/run/docker.sock'
case $response in
  *' 200') ;;
  *) fail 'Docker rejected the join:' $response ;;
esac
`;

/** Arguments: IDs and addresses of the swarm managers. A manager does not leave. */
export const LEAVE_SCRIPT = `${READ_SWARM_STATE}command -v docker >/dev/null 2>&1 || exit 0
read_swarm_state "$@"
[ "$(docker info --format '{{.Swarm.ControlAvailable}}')" != true ] || exit 0
case $state/$is_member in
  inactive/* | */no) exit 0 ;;
esac
docker swarm leave
`;

async function readManagers(engine: DockerClient) {
  const managers = (await engine.info()).Swarm.RemoteManagers ?? [];
  const known = managers.filter(({ Addr, NodeID }) => Addr !== '' && NodeID !== '');
  if (known.length === 0) throw new Error(`${engine.displayName} reports no swarm manager`);
  const scriptArgs = known.flatMap(({ Addr, NodeID }) => [NodeID, Addr]);
  return { addresses: known.map(({ Addr }) => Addr), scriptArgs };
}

/** Uses the Docker API: `docker swarm join` accepts the token only as an argument, visible in the process list. */
export async function swarmJoinPlan(engine: DockerClient, address: Address): Promise<CommandPlan> {
  const [managers, token, nodes] = await Promise.all([readManagers(engine), engine.workerToken(), engine.listNodes()]);
  const request = JSON.stringify({
    JoinToken: token.reveal(),
    RemoteAddrs: managers.addresses,
    AdvertiseAddr: address,
    ListenAddr: address.includes(':') ? '[::]:2377' : '0.0.0.0:2377',
  });
  const ids = nodes.map(({ ID }) => ID).join(' ');
  return {
    requires: { programs: ['docker', 'curl'], installHint: 'install Docker Engine and curl on the host' },
    commands: [{ argv: scriptArgv(JOIN_SCRIPT, ...managers.scriptArgs), input: new Secret(`${request}\n${ids}\n`) }],
  };
}

export async function swarmLeavePlan(engine: DockerClient): Promise<CommandPlan> {
  const { scriptArgs } = await readManagers(engine);
  return { commands: [{ argv: scriptArgv(LEAVE_SCRIPT, ...scriptArgs) }] };
}
