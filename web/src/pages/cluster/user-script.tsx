import { useEffect, useMemo } from 'react';
import buttonStyles from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { DialogActions } from '../../ui/dialog.tsx';
import { notice } from '../../ui/notices.tsx';
import styles from './cluster.module.css';

interface UserScriptProps {
  readonly script: string;
  readonly token: string;
  readonly cluster: string;
  readonly onClose: () => void;
}

/** The script, which is shown once: nobody can ask for its token again. */
export function UserScript({ script, token, cluster, onClose }: UserScriptProps) {
  const url = useMemo(
    () => URL.createObjectURL(new Blob([script], { type: 'text/x-shellscript' })),
    [script],
  );
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  const copy = async () => {
    await navigator.clipboard.writeText(script);
    notice('The script is in the clipboard.');
  };
  return (
    <div className={styles.choosing}>
      <p className={styles.secret}>
        This script holds the token <code>{token}</code>: whoever can read it may enrol hosts while it is
        good. It is shown only now.
      </p>
      <pre className={styles.script} tabIndex={0} role="region" aria-label="User-data">
        {script}
      </pre>
      <DialogActions>
        {/* Browsers have no clipboard for pages that came over plain HTTP from elsewhere. */}
        {'clipboard' in navigator && <Button onClick={copy}>Copy</Button>}
        <a
          className={`${buttonStyles.button} ${buttonStyles.usual}`}
          href={url}
          download={`user-data-${cluster}.sh`}
        >
          Download
        </a>
        <Button kind="primary" onClick={onClose}>
          I have it
        </Button>
      </DialogActions>
    </div>
  );
}
