import { useQuery } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { CopyText } from '../../ui/copy-text.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Disclosure } from '../../ui/disclosure.tsx';
import { enrolScript } from './enrol-script.ts';

interface TokenSecretProps {
  readonly name: string;
  /** Only the answer that made the token has it. */
  readonly secret: string | undefined;
  readonly onClose: () => void;
}

/** The secret of a new token. A press beside the dialog or Escape does not lose it by a slip: it is closed by its button. */
export function TokenSecret({ name, secret, onClose }: TokenSecretProps) {
  const { data: identity } = useQuery({
    queryKey: keys.identity,
    queryFn: () => answerOf(api.getIdentity()),
  });
  if (secret === undefined)
    return (
      <Dialog title={`Enrolment token ${name} already exists`} isOpen onClose={onClose}>
        <p>
          The token already has these settings, so nothing was changed. The secret cannot be shown again. If
          you lost it, remove the token and create a new one.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title={`Secret of enrolment token ${name}`} size="wide" isOpen>
      <p>Copy the secret now. It is not shown again.</p>
      <CopyText label="secret" text={secret} />
      {identity && (
        <Disclosure summary="Script for hosts to run as root at the end of boot" startsOpen>
          <CopyText
            label="script"
            text={enrolScript(globalThis.location.origin, secret, identity.public_key)}
          />
          <p className="soft">
            Replace the URL if hosts reach the server at another address. With cloud-init, generate user data
            on a cluster’s page instead: it contains its own token.
          </p>
        </Disclosure>
      )}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}
