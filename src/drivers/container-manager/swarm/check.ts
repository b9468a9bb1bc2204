import type { DockerEngine } from '../../../clients/docker/docker-engine.ts';
import type { EngineInfo } from '../../../clients/docker/engine-answers.ts';
import type { CheckReport } from '../../check-report.ts';

function swarmProblem(server: string, { Swarm }: EngineInfo): string | undefined {
  if (Swarm.LocalNodeState === 'locked')
    return `the swarm of ${server} is locked: run docker swarm unlock there`;
  return Swarm.ControlAvailable
    ? undefined
    : `${server} is not a swarm manager: use the URL of a manager, or run docker swarm init there`;
}

/** Plain `http` is nothing that is wrong here: it may go through a tunnel. The description of the option says what it means. */
export async function check(engine: DockerEngine, optionProblems: readonly string[]): Promise<CheckReport> {
  const [{ Version }, info] = await Promise.all([engine.version(), engine.info()]);
  const problem = swarmProblem(engine.name, info);
  if (problem !== undefined) return { version: Version, problems: [...optionProblems, problem] };
  // What hosts need to join is told only while the managers agree on a leader.
  await engine.workerToken();
  return { version: Version, problems: optionProblems };
}
