import { Link } from '@tanstack/react-router';
import type { EnrolBody } from '#client/enrol-in-parts.ts';
import { api } from '../../api/client.ts';
import { readAddresses, readKeyLines } from '../../fleet/added-hosts.ts';
import { readPrivateKey } from '../../fleet/private-key-field.tsx';
import { ProgressOfEach } from '../../fleet/progress-of-each.tsx';
import { useProgress } from '../../fleet/use-progress.ts';
import { useMay } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { counted } from '../../ui/words/counted.ts';
import { AddHostsForm } from './add-hosts-form.tsx';
import { enrolHosts } from './enrol-hosts.ts';

interface AddHostsDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

async function bodyOf(form: FormData): Promise<EnrolBody> {
  const text = (name: string) => String(form.get(name) ?? '').trim();
  const keys = readKeyLines(text('host_keys'));
  return {
    ssh_priv_key: await readPrivateKey(form),
    ...(text('remote_user') !== '' && { remote_user: text('remote_user') }),
    ...(text('ssh_port') !== '' && { ssh_port: Number(text('ssh_port')) }),
    ...(text('cluster') !== '' && { cluster: text('cluster') }),
    ...(keys.length > 0 && { host_keys: keys }),
  };
}

const SelfEnrolment = () => {
  const { may } = useMay();
  return (
    <p className="soft">
      Hosts can also enrol themselves at first boot.{' '}
      {may('listTokens') ? (
        <>
          Create an <Link to="/tokens">enrolment token</Link>.
        </>
      ) : (
        'Ask an admin for an enrolment token.'
      )}
    </p>
  );
};

/** Enrols hosts with one key; what is refused for one is told for that one. */
export function AddHostsDialog({ isOpen, onClose }: AddHostsDialogProps) {
  const { progress, isRunning, begin, stop, forget } = useProgress();

  const enrol = async (form: FormData) => {
    const addresses = readAddresses(String(form.get('addresses') ?? ''));
    const body = await bodyOf(form);
    const [only] = addresses;
    if (only !== undefined && addresses.length === 1) {
      // Alone it is told as all refusals are, with each field.
      await api.putHost({ address: only, body });
      begin().onProgress({ total: 1, done: 1, refused: [], left: [], isOver: true });
      return;
    }
    await enrolHosts(api, addresses, body, begin());
  };
  const close = () => {
    if (isRunning) return stop();
    forget();
    onClose();
  };

  return (
    <Dialog title="Enrol hosts" isOpen={isOpen} onClose={close}>
      <div hidden={progress !== undefined}>
        <AddHostsForm onEnrol={enrol} onClose={close} hint={<SelfEnrolment />} />
      </div>
      {progress && (
        <>
          <ProgressOfEach progress={progress} />
          {progress.isOver && progress.done > 0 && (
            <p className="soft">Hostler is bootstrapping the hosts. Follow their status in the list.</p>
          )}
          <DialogActions>
            {isRunning && <Button onClick={close}>Stop</Button>}
            {!isRunning && progress.done < progress.total && (
              <Button onClick={forget}>Edit and retry {counted(progress.total, 'host')}</Button>
            )}
            {!isRunning && (
              <Button kind="primary" onClick={close}>
                Close
              </Button>
            )}
          </DialogActions>
        </>
      )}
    </Dialog>
  );
}
