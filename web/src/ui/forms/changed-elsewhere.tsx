import { Button } from '../button.tsx';
import { Callout } from '../callout.tsx';
import { ProblemBox } from '../problem-box.tsx';
import { useAsk } from './use-ask.ts';

interface ChangedElsewhereProps {
  /** What was changed: `the network a`. */
  readonly what: string;
  readonly readAnew: () => Promise<unknown>;
}

/** What is changed here was changed by somebody else meanwhile. What was typed stays where it was typed. */
export function ChangedElsewhere({ what, readAnew }: ChangedElsewhereProps) {
  const { run, isBusy, problem } = useAsk(readAnew);
  return (
    <>
      <Callout tone="warn" role="alert">
        <p>
          Someone else changed {what} while you were editing, so your changes were not saved. Reload the
          current values, review them and save again. The fields that you edited keep your values.
        </p>
        <div>
          <Button size="small" isBusy={isBusy} onClick={() => run()}>
            Reload
          </Button>
        </div>
      </Callout>
      <ProblemBox problem={problem} />
    </>
  );
}
