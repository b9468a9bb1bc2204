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
          Somebody else has changed {what} since you opened this, so nothing was saved. Read it anew: what you
          have typed stays, the rest becomes what it is now. Then look at it, and save.
        </p>
        <div>
          <Button size="small" isBusy={isBusy} onClick={() => run()}>
            Read it anew
          </Button>
        </div>
      </Callout>
      <ProblemBox problem={problem} />
    </>
  );
}
