import { fetchBody } from '../../api/client.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/callout.tsx';
import { useAction } from '../../ui/forms/form.tsx';
import { Badge } from '../../ui/status-badge.tsx';
import styles from './driver-records.module.css';
import type { RecordKind } from './record-kinds.ts';

interface ConnectionCheckProps {
  readonly kind: RecordKind;
  readonly name: string;
  readonly type: string;
}

/** A network of this type has no server. */
const TYPE_WITHOUT_SERVER = 'none';

export function ConnectionCheck({ kind, name, type }: ConnectionCheckProps) {
  const { run, result: report, isLoading, error } = useAction(() => fetchBody(kind.check({ name, body: {} })));
  const successText = type === TYPE_WITHOUT_SERVER ? 'OK: there is no server to check' : 'Connection OK';
  return (
    <div className={styles.check}>
      <div className={styles.action}>
        <Button isLoading={isLoading} onClick={() => run()}>
          Check connection
        </Button>
        <p className="muted">
          {type === TYPE_WITHOUT_SERVER
            ? 'This type has no server.'
            : 'Connects to the server and checks the settings. Makes no changes.'}
        </p>
      </div>
      <div aria-live="polite" className={styles.report}>
        {report && (
          <>
            <p>
              <Badge severity={report.ok ? 'good' : 'bad'}>{report.ok ? successText : 'Problems found'}</Badge>
              {report.version !== '' && <> Version {report.version}</>}
            </p>
            {report.problems.length > 0 && (
              <ul>
                {report.problems.map(text => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            )}
          </>
        )}
      </div>
      <ErrorBox error={error} />
    </div>
  );
}
