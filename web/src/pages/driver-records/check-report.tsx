import { answerOf } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { useAsk } from '../../ui/forms/use-ask.ts';
import { ProblemBox } from '../../ui/problem-box.tsx';
import { Badge } from '../../ui/status.tsx';
import styles from './driver-records.module.css';
import type { Kind } from './kinds.ts';

interface CheckReportProps {
  readonly kind: Kind;
  readonly name: string;
  readonly type: string;
}

/** A network of this type has no server. */
const NONE = 'none';

const okWords = (type: string) => (type === NONE ? 'OK: there is no server to check' : 'Connection OK');

/** Asks the servers behind a record, and says what they say. */
export function CheckReport({ kind, name, type }: CheckReportProps) {
  const { run, answer: report, isBusy, problem } = useAsk(() => answerOf(kind.check({ name, body: {} })));
  return (
    <div className={styles.check}>
      <div className={styles.ask}>
        <Button isBusy={isBusy} onClick={() => run()}>
          Check connection
        </Button>
        <p className="soft">
          {type === NONE
            ? 'This type has no server.'
            : 'Connects to the server and checks the settings. Makes no changes.'}
        </p>
      </div>
      <div aria-live="polite" className={styles.report}>
        {report && (
          <>
            <p>
              <Badge tone={report.ok ? 'good' : 'bad'}>{report.ok ? okWords(type) : 'Problems found'}</Badge>
              {report.version !== '' && <> Version {report.version}</>}
            </p>
            {report.problems.length > 0 && (
              <ul>
                {report.problems.map(each => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      <ProblemBox problem={problem} />
    </div>
  );
}
