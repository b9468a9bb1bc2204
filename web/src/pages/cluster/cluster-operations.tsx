import { Link } from '@tanstack/react-router';
import { OperationLines } from '../../operations/operation-line.tsx';
import { useNewest } from '../../operations/use-operations.ts';
import { Empty, Panel } from '../../ui/page.tsx';
import { Read } from '../../ui/read.tsx';

const MOST = 5;

/** What was done to the cluster last, and is done now. */
export function ClusterOperations({ name }: { readonly name: string }) {
  const newest = useNewest(name, MOST);
  const all = (
    <Link to="/operations" search={{ cluster: name }}>
      View all
    </Link>
  );
  return (
    <Panel title="Operations" isFlush actions={all}>
      <Read of={newest} what="operations">
        {operations =>
          operations.length === 0 ? (
            <Empty title="No operations yet">
              <p>Start a restart, upgrade or deploy. It works through the hosts a few at a time.</p>
            </Empty>
          ) : (
            <OperationLines of={operations} />
          )
        }
      </Read>
    </Panel>
  );
}
