import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { CheckPlot } from '../../ui/plots/check-plot.tsx';
import { Read } from '../../ui/read.tsx';
import { clockTime } from '../../ui/words/time-formats.ts';
import { useHostChecks } from './use-host.ts';

/** The last checks. No event tells of those that change nothing, so it says how old it is. */
export function ChecksPanel({ address }: { readonly address: string }) {
  const query = useHostChecks(address);
  const { data, dataUpdatedAt, isFetching, refetch } = query;
  return (
    <Panel
      title="Health checks"
      actions={
        <>
          {data && <span className="soft">Updated {clockTime(dataUpdatedAt)}</span>}
          <Button size="small" isBusy={isFetching} onClick={() => refetch()}>
            Refresh
          </Button>
        </>
      }
    >
      <Read of={query} what="health checks">
        {checks =>
          checks.length === 0 ? (
            <p className="soft">No health checks yet.</p>
          ) : (
            <CheckPlot checks={checks} label={`Health checks of ${address}`} />
          )
        }
      </Read>
    </Panel>
  );
}
