import type { ReactNode } from 'react';
import type { RouteName } from '#contract/index.ts';
import { api } from '../api/client.ts';
import { ClusterSelect } from '../clusters/cluster-select.tsx';
import { CheckField, TextArea, TextField } from '../ui/forms/field.tsx';
import { parseLabelLines, updateLabels } from './labels.ts';

/** Changes one host. `cluster` is empty if the host is in no cluster. */
export type HostRequest = (address: string, cluster: string) => Promise<unknown>;

export interface BulkAction {
  readonly label: string;
  readonly requires: RouteName;
  readonly isDestructive?: true;
  /** Useless for the members of one cluster. */
  readonly isForOtherHosts?: true;
  readonly title: (hosts: string) => string;
  /** Defaults to the title. */
  readonly submitLabel?: (hosts: string) => string;
  readonly fields: ReactNode;
  /** `text` returns the value of a field. */
  readonly createRequest: (text: (name: string) => string) => HostRequest;
}

export const BULK_ACTIONS: readonly BulkAction[] = [
  {
    label: 'Set maintenance',
    requires: 'putHostMaintenance',
    title: hosts => `Set maintenance for ${hosts}`,
    fields: (
      <>
        <CheckField
          label="In maintenance"
          name="on"
          defaultChecked
          hint="On: no operation changes the hosts, they raise no alerts, and they count as unavailable. Off: the hosts return to service."
        />
        <TextField label="Reason" name="reason" hint="Optional. Shown to other users while maintenance is on." />
      </>
    ),
    createRequest: text => {
      const body = text('on') === 'on' ? { on: true, reason: text('reason') } : { on: false };
      return address => api.putHostMaintenance({ address, body });
    },
  },
  {
    label: 'Edit labels',
    requires: 'putHostLabels',
    title: hosts => `Edit labels of ${hosts}`,
    fields: (
      <>
        <TextArea label="Add or update" name="added" rows={3} hint="One key=value per line. Other labels are kept." />
        <TextField label="Remove" name="removed" hint="Comma-separated keys." />
      </>
    ),
    createRequest: text => {
      const [added, removed] = [parseLabelLines(text('added')), Object.keys(parseLabelLines(text('removed')))];
      // Not atomic: if another user changes the labels at the same time, the last write wins.
      return async address => {
        const { body: labels } = await api.getHostLabels({ address });
        return api.putHostLabels({ address, body: updateLabels(labels, added, removed) });
      };
    },
  },
  {
    label: 'Add to cluster',
    requires: 'addMember',
    isForOtherHosts: true,
    title: hosts => `Add ${hosts} to a cluster`,
    submitLabel: hosts => `Add ${hosts} to the cluster`,
    fields: <ClusterSelect label="Cluster" name="cluster" emptyLabel="Select a cluster" required />,
    createRequest: text => address => api.addMember({ name: text('cluster'), address, body: {} }),
  },
  {
    label: 'Remove from cluster',
    requires: 'removeMember',
    title: hosts => `Remove ${hosts} from their cluster`,
    isDestructive: true,
    fields: (
      <p>
        Each host leaves its cluster. Hostler removes the network and container manager setup from it. The host stays
        enrolled, and health checks continue.
      </p>
    ),
    createRequest: () => async (address, name) => {
      if (name !== '') await api.removeMember({ name, address });
    },
  },
  {
    label: 'Retry bootstrap',
    requires: 'bootstrapHost',
    title: hosts => `Retry bootstrap of ${hosts}`,
    fields: <p>Hostler reads the facts of each host and bootstraps it again, in any status.</p>,
    createRequest: () => address => api.bootstrapHost({ address, body: {} }),
  },
  {
    label: 'Remove from Hostler',
    requires: 'removeHost',
    isDestructive: true,
    title: hosts => `Remove ${hosts} from Hostler`,
    fields: (
      <p>
        This removes the hosts’ records, cluster memberships and credentials from Hostler. The hosts themselves do not
        change. To undo their network and container manager setup, cancel and remove them from their cluster first.
      </p>
    ),
    createRequest: () => address => api.removeHost({ address }),
  },
];
