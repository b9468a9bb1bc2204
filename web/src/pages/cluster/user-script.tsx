import { useEffect, useMemo } from 'react';
import buttonStyles from '../../ui/button.module.css';
import { Button } from '../../ui/button.tsx';
import { Callout } from '../../ui/callout.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';

interface UserScriptProps {
  readonly script: string;
  readonly token: string;
  readonly cluster: string;
  readonly onClose: () => void;
}

/** The script, which is shown once: nobody can ask for its token again. So it is closed by its button, and by no slip. */
export function UserScript({ script, token, cluster, onClose }: UserScriptProps) {
  const url = useMemo(
    () => URL.createObjectURL(new Blob([script], { type: 'text/x-shellscript' })),
    [script],
  );
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return (
    <Dialog title={`User-data for ${cluster}`} size="wide" isOpen>
      <Callout tone="warn">
        <p>
          This script holds the token <code>{token}</code>: whoever can read it may enrol hosts while it is
          good. It is shown only now.
        </p>
      </Callout>
      <CopyText label="the user-data" text={script} />
      <DialogActions>
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
    </Dialog>
  );
}
