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
    <Dialog title={`User data for ${cluster}`} size="wide" isOpen>
      <Callout tone="warn">
        <p>
          This script contains the enrolment token <code>{token}</code>. Anyone who can read it can enrol
          hosts until the token expires. The script is not shown again.
        </p>
      </Callout>
      <CopyText label="user data" text={script} />
      <DialogActions>
        <a
          className={`${buttonStyles.button} ${buttonStyles.usual}`}
          href={url}
          download={`user-data-${cluster}.sh`}
        >
          Download
        </a>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
