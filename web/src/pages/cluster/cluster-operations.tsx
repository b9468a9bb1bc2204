import { Link } from '@tanstack/react-router';
import { OperationLines } from '../../operations/operation-line.tsx';
import { useNewest } from '../../operations/use-operations.ts';
import { Empty, Loading, Panel } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';

const MOST = 5;

/** What was done to the cluster last, and is done now. */
export function ClusterOperations({ name }: { readonly name: string }) {
  const { data, error } = useNewest(name, MOST);
  const all = (
    <Link to="/operations" search={{ cluster: name }}>
      All of {name}
    </Link>
  );
  return (
    <Panel title="Operations" isFlush actions={all}>
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="operations" />}
      {data?.length === 0 && (
        <Empty title="There was none yet.">
          <p>Restart, upgrade and deploy go through all of its hosts, a few at a time.</p>
        </Empty>
      )}
      {data && data.length > 0 && <OperationLines of={data} />}
    </Panel>
  );
}
