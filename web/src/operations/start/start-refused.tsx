import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RequestRefused } from '#client/client.ts';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { ProblemBox } from '../../ui/problem-box.tsx';

/** Why it was not begun, and where the operation is that was in the way. */
export function StartRefused({ problem, cluster }: { readonly problem: unknown; readonly cluster: string }) {
  const isRunning = problem instanceof RequestRefused && problem.problem.code === 'operation_running';
  const { data: running = [] } = useQuery({
    queryKey: keys.operationInTheWay(cluster),
    queryFn: () => answerOf(api.listOperations({ query: { cluster, status: 'in_process', limit: 1 } })),
    enabled: isRunning,
  });
  return (
    <>
      <ProblemBox problem={problem} />
      {isRunning &&
        running.map(({ id, kind }) => (
          <p key={id}>
            <Link to="/operations/$id" params={{ id }}>
              View the running {kind}
            </Link>
          </p>
        ))}
    </>
  );
}
