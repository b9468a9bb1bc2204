import { Link } from '@tanstack/react-router';
import { useDeferredValue, useMemo, useState } from 'react';
import { api } from '../../api/client.ts';
import { hasWords } from '../../fleet/has-words.ts';
import { ProgressOfEach } from '../../fleet/progress-of-each.tsx';
import { runEach, undone } from '../../fleet/run-each.ts';
import { useFleet } from '../../fleet/use-fleet.ts';
import { useProgress } from '../../fleet/use-progress.ts';
import { useSelection } from '../../fleet/use-selection.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { notice } from '../../ui/notices.tsx';
import { Read } from '../../ui/read.tsx';
import { counted, numberText } from '../../ui/words/counted.ts';
import { HostTable } from './host-table.tsx';
import styles from './join-hosts.module.css';

function Choosing({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [search, setSearch] = useState('');
  const wanted = useDeferredValue(search);
  // Those in no cluster.
  const { fleet, problem } = useFleet('');
  const found = useMemo(() => fleet?.rows.filter(hasWords(wanted)) ?? [], [fleet, wanted]);
  const { chosen, choosing, choose } = useSelection(found);
  const { progress, isRunning, begin, stop } = useProgress();
  // Who has gone elsewhere meanwhile is selected no more.
  const joining = [...chosen].filter(address => fleet?.places.has(address));
  const join = async () => {
    const over = await runEach(joining, address => api.addMember({ name, address, body: {} }), begin());
    if (undone(over).length > 0) return choose(undone(over));
    notice(`${counted(over.done, 'host')} added to ${name}`);
    onClose();
  };
  return (
    <div className={styles.choosing}>
      <Read of={{ data: fleet?.rows, error: problem }} what="hosts without a cluster">
        {hosts =>
          hosts.length === 0 ? (
            progress === undefined && (
              <p>
                All hosts are already in a cluster. <Link to="/hosts">Enrol more hosts</Link> first.
              </p>
            )
          ) : (
            <>
              <TextField
                label="Search hosts without a cluster"
                hint="Matches address, hostname, OS or label."
                type="search"
                value={search}
                onChange={event => setSearch(event.target.value)}
              />
              <div className={styles.found}>
                <span>
                  {counted(found.length, 'result')}, {numberText(joining.length)} selected
                </span>
                <Button size="small" onClick={() => choosing.pressAll(true)}>
                  Select all results
                </Button>
                {joining.length > 0 && (
                  <Button size="small" kind="quiet" onClick={() => choose([])}>
                    Clear selection
                  </Button>
                )}
              </div>
              <div className={styles.list}>
                <HostTable label="Hosts without a cluster" hosts={found} choosing={choosing} />
              </div>
            </>
          )
        }
      </Read>
      {progress && <ProgressOfEach progress={progress} />}
      <DialogActions>
        <Button onClick={isRunning ? stop : onClose}>
          {isRunning ? 'Stop' : progress ? 'Close' : 'Cancel'}
        </Button>
        <Button
          kind="primary"
          isBusy={isRunning}
          whyNot={joining.length === 0 && !isRunning ? 'Select hosts first.' : undefined}
          onClick={join}
        >
          {joining.length === 0 ? 'Add hosts' : `Add ${counted(joining.length, 'host')}`}
        </Button>
      </DialogActions>
    </div>
  );
}

/** The button, and the dialog behind it. */
export function JoinHosts({ name }: { readonly name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" onClick={() => setIsOpen(true)}>
        Add members
      </Button>
      <Dialog title={`Add members to ${name}`} isOpen={isOpen} onClose={() => setIsOpen(false)} size="wide">
        <Choosing name={name} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
