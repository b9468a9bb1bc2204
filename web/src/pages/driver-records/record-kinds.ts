// Networks and container managers have the same fields and routes. This table contains the differences.

import type { RouteName } from '#contract/index.ts';
import type { DriverRecordClient } from '#sdk/driver-record-client.ts';
import { createDriverRecordClients } from '#sdk/driver-record-client.ts';
import type { DriverRecordKind } from '#vocabulary';
import { api } from '../../api/client.ts';
import type { Key } from '../../api/query-keys.ts';
import { queryKeys } from '../../api/query-keys.ts';

export interface RecordKind extends DriverRecordClient {
  readonly key: DriverRecordKind;
  readonly label: string;
  readonly title: string;
  readonly to: '/networks' | '/container-managers';
  /** Shown while no record is open. */
  readonly description: string;
  readonly queryKeys: { readonly all: Key; readonly record: (name: string) => Key };
  readonly routes: { readonly put: RouteName; readonly remove: RouteName; readonly check: RouteName };
}

const clients = createDriverRecordClients(api);

export const NETWORK: RecordKind = {
  key: 'network',
  label: 'network',
  title: 'Networks',
  to: '/networks',
  description:
    'A network connects the containers on the hosts of a cluster, for example with flannel. Create a network, check the connection, then select the network in a cluster.',
  queryKeys: { all: queryKeys.networks, record: queryKeys.network },
  routes: { put: 'putNetwork', remove: 'removeNetwork', check: 'checkNetwork' },
  ...clients.network,
};

export const CONTAINER_MANAGER: RecordKind = {
  key: 'container_manager',
  label: 'container manager',
  title: 'Container managers',
  to: '/container-managers',
  description:
    'A container manager such as Kubernetes runs containers on the hosts of a cluster. Create a container manager, check the connection, then select it in a cluster. The hosts become nodes automatically.',
  queryKeys: { all: queryKeys.containerManagers, record: queryKeys.containerManager },
  routes: { put: 'putContainerManager', remove: 'removeContainerManager', check: 'checkContainerManager' },
  ...clients.container_manager,
};
