// Networks and container managers have one shape; what is different about them is here.

import type { DriverRecordCalls } from '#client/driver-record-calls.ts';
import { driverRecordCalls } from '#client/driver-record-calls.ts';
import type { RouteName } from '#contract/index.ts';
import type { DriverRecordKind } from '#vocabulary';
import { api } from '../../api/client.ts';
import type { Key } from '../../api/keys.ts';
import { keys } from '../../api/keys.ts';

export interface Kind extends DriverRecordCalls {
  /** As the service calls it. */
  readonly key: DriverRecordKind;
  readonly word: string;
  readonly title: string;
  readonly to: '/networks' | '/container-managers';
  /** What one is for, and what to do first. */
  readonly about: string;
  /** How what was read is kept, in the words of `what-changes.ts`. */
  readonly keys: { readonly all: Key; readonly one: (name: string) => Key };
  readonly names: { readonly put: RouteName; readonly remove: RouteName; readonly check: RouteName };
}

const calls = driverRecordCalls(api);

export const NETWORK: Kind = {
  key: 'network',
  word: 'network',
  title: 'Networks',
  to: '/networks',
  about:
    'A network connects the containers on the hosts of a cluster, for example with flannel. Create a network, check the connection, then select the network in a cluster.',
  keys: { all: keys.networks, one: keys.network },
  names: { put: 'putNetwork', remove: 'removeNetwork', check: 'checkNetwork' },
  ...calls.network,
};

export const CONTAINER_MANAGER: Kind = {
  key: 'container_manager',
  word: 'container manager',
  title: 'Container managers',
  to: '/container-managers',
  about:
    'A container manager such as Kubernetes runs containers on the hosts of a cluster. Create a container manager, check the connection, then select it in a cluster. The hosts become nodes automatically.',
  keys: { all: keys.containerManagers, one: keys.containerManager },
  names: {
    put: 'putContainerManager',
    remove: 'removeContainerManager',
    check: 'checkContainerManager',
  },
  ...calls.container_manager,
};
