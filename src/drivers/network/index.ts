import { flannelEtcd } from './flannel-etcd/flannel-etcd.ts';
import { flannelKube } from './flannel-kube/flannel-kube.ts';
import { flannelServer } from './flannel-server/flannel-server.ts';
import type { NetworkDriver } from './network.ts';
import { none } from './none/none.ts';

export const networkDrivers: readonly NetworkDriver[] = [none, flannelEtcd, flannelKube, flannelServer];
