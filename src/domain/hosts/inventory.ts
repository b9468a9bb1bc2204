// For Ansible and Prometheus. No secrets, and only words of closed sets and validated names, so no value can be a
// template that Ansible would execute on its controller.

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
  readonly hostname: string;
  readonly cluster: RecordName | null;
  readonly remoteUser: string;
  readonly sshPort: number;
  readonly labels: Labels;
}

export const formatLabel = (key: string, value: string): string => (value === '' ? key : `${key}=${value}`);

/** Each kind has its own prefix, so groups of different kinds never collide. */
export class AnsibleGroupNames {
  readonly clusters = new UniqueNames('cluster_');
  readonly operatingSystems = new UniqueNames('os_');
  readonly labels = new UniqueNames('label_');

  groupsOf({ status, os, cluster, labels }: InventoryHost): readonly string[] {
    return [
      `status_${status}`,
      ...(os === '' ? [] : [this.operatingSystems.get(os)]),
      ...(cluster === null ? [] : [this.clusters.get(cluster)]),
      ...Object.entries(labels).map(([key, value]) => this.labels.get(formatLabel(key, value))),
    ];
  }
}
