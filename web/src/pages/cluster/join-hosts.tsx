import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue, useState } from 'react';
import { api } from '../../api/client.ts';
import { keys } from '../../api/keys.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { notice } from '../../ui/notices.tsx';
import { Loading } from '../../ui/page.tsx';
import { ProblemBox } from '../../ui/problem-box.tsx';
import styles from './cluster.module.css';
import { EachHostReport } from './each-host-report.tsx';
import { HostTable } from './host-table.tsx';
import { matches } from './matches.ts';
import { readHosts } from './read-hosts.ts';
import { useEachHost } from './use-each-host.ts';

function Choosing({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const [search, setSearch] = useState('');
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { state, run } = useEachHost(address => api.addMember({ name, address, body: {} }));
  const { data, error } = useQuery({
    queryKey: keys.hostsInNoCluster,
    queryFn: ({ signal }) => readHosts('', signal),
    staleTime: 0,
  });
  const wanted = useDeferredValue(search);
  const free = data?.value ?? [];
  const found = free.filter(host => matches(host, wanted));
  const isBusy = state !== undefined && !state.isOver;
  const join = async () => {
    const over = await run([...chosen]);
    if (over.refused.length > 0) return setChosen(new Set(over.refused.map(({ address }) => address)));
    notice(`${over.done} ${over.done === 1 ? 'host has' : 'hosts have'} joined ${name}.`);
    onClose();
  };
  return (
    <div className={styles.choosing}>
      <ProblemBox problem={error} />
      {data === undefined && !error && <Loading what="hosts without a cluster" />}
      {data && free.length === 0 && (
        <p>
          Every host is in a cluster. <Link to="/hosts">Add hosts</Link> first.
        </p>
      )}
      {free.length > 0 && (
        <>
          <TextField
            label="Search among hosts without a cluster"
            hint="Parts of addresses, hostnames, systems or labels."
            type="search"
            value={search}
            onChange={event => setSearch(event.target.value)}
          />
          <div className={styles.found}>
            <span>
              {found.length} found, {chosen.size} chosen
            </span>
            <Button
              size="small"
              onClick={() => setChosen(new Set([...chosen, ...found.map(({ address }) => address)]))}
            >
              Choose all that were found
            </Button>
            {chosen.size > 0 && (
              <Button size="small" kind="quiet" onClick={() => setChosen(new Set())}>
                Choose none
              </Button>
            )}
          </div>
          <div className={styles.list}>
            <HostTable
              label="Hosts without a cluster"
              hosts={found}
              choice={{ chosen, onChoose: setChosen }}
            />
          </div>
        </>
      )}
      {state && <EachHostReport of={state} verb="have joined" />}
      <DialogActions>
        <Button onClick={onClose}>{state === undefined ? 'Leave it' : isBusy ? 'Stop' : 'Close'}</Button>
        <Button
          kind="primary"
          isBusy={isBusy}
          whyNot={chosen.size === 0 ? 'Choose hosts first.' : undefined}
          onClick={join}
        >
          {`Let ${chosen.size === 1 ? '1 host' : `${chosen.size} hosts`} join`}
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
        Join hosts
      </Button>
      <Dialog
        title={`Hosts that shall join ${name}`}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        size="wide"
      >
        <Choosing name={name} onClose={() => setIsOpen(false)} />
      </Dialog>
    </>
  );
}
