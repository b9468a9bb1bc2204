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
      <Dialog title={`The token ${name} is there already`} isOpen onClose={onClose}>
        <p>
          It has these settings, so nothing was changed. Its secret was told when it was made, and nobody can
          tell it again: remove it and make another if the secret is lost.
        </p>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
        </DialogActions>
      </Dialog>
    );
  return (
    <Dialog title={`The secret of ${name}`} size="wide" isOpen>
      <p>Take it now: it is told this once, and nobody can tell it again.</p>
      <CopyText label="the secret" text={secret} />
      {identity && (
        <Disclosure summary="What a host runs, as root, at the end of its boot" startsOpen>
          <CopyText
            label="the script"
            text={enrolScript(globalThis.location.origin, secret, identity.public_key)}
          />
          <p className="soft">
            Put the address in it that hosts reach the service at, if that is another. Hosts with cloud-init
            need none of this: the page of a cluster makes user-data for them, with a token of its own.
          </p>
        </Disclosure>
      )}
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          I have it, close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
