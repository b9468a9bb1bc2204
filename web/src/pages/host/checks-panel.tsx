import { Button } from '../../ui/button.tsx';
import { Loading, Panel } from '../../ui/page.tsx';
import { CheckPlot } from '../../ui/plots/check-plot.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { clockTime } from '../../ui/words/time-formats.ts';
import { useHostChecks } from './use-host.ts';

/** The last checks. No event tells of those that change nothing, so it says how old it is. */
export function ChecksPanel({ address }: { readonly address: string }) {
  const { data, error, dataUpdatedAt, isFetching, refetch } = useHostChecks(address);
  return (
    <Panel
      title="Checks"
      actions={
        <>
          {data && <span className="soft">as of {clockTime(dataUpdatedAt)}</span>}
          <Button size="small" isBusy={isFetching} onClick={() => refetch()}>
            Read again
          </Button>
        </>
      }
    >
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="its checks" />}
      {data?.length === 0 && <p className="soft">It was not checked yet.</p>}
      {data !== undefined && data.length > 0 && <CheckPlot checks={data} label={`Checks of ${address}`} />}
    </Panel>
  );
}
