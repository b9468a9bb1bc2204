// What other tools are told of hosts: Ansible, Prometheus. No secret is in it, and no text but words of closed sets and names whose
// signs were checked when they came in. So none can be mistaken for a template, which Ansible would carry out where it runs.

import { UniqueNames } from '../../lib/unique-names.ts';
import type { Address } from '../addresses/address.ts';
import type { RecordName } from '../record-name.ts';
import type { HostStatus } from '../vocabulary.ts';
import type { Labels } from './host.ts';

export interface InventoryHost {
  readonly address: Address;
  readonly status: HostStatus;
  /** `''` until known. */
  readonly os: string;
  /** `''` until known. */
  readonly hostname: string;
  readonly cluster: RecordName | null;
  readonly remoteUser: string;
  readonly sshPort: number;
  readonly labels: Labels;
}

/** A label as a text that no other label has; an empty value adds nothing to its name. */
export const formatLabel = (key: string, value: string): string => (value === '' ? key : `${key}=${value}`);

/** The names of Ansible's groups. Those of different kinds begin differently, so they are never alike. */
export class AnsibleGroupNames {
  readonly clusters = new UniqueNames('cluster_');
  readonly operatingSystems = new UniqueNames('os_');
  readonly labels = new UniqueNames('label_');

  /** The groups that a host is in. */
  groupsOf({ status, os, cluster, labels }: InventoryHost): readonly string[] {
    return [
      `status_${status}`,
      ...(os === '' ? [] : [this.operatingSystems.get(os)]),
      ...(cluster === null ? [] : [this.clusters.get(cluster)]),
      ...Object.entries(labels).map(([key, value]) => this.labels.get(formatLabel(key, value))),
    ];
  }
}
