// Nodes as their kubelets report them, for tests to make and to disturb.

import { randomUUID } from 'node:crypto';
import type { Cluster } from './cluster.ts';
import type { Fields, KubeObject } from './objects.ts';
import { fieldsAt, listAt, textAt, timeText } from './objects.ts';
import { NODES } from './resources.ts';
import { tidy } from './tidy.ts';

export interface KubeletOptions {
  /** Of type InternalIP. */
  readonly address: string;
  /** Default: the name of the node. */
  readonly hostname?: string;
  readonly bootId?: string;
  readonly machineId?: string;
  readonly osImage?: string;
  /** Default: that of the server, as in v1.20.2. */
  readonly kubeletVersion?: string;
  /** Whether it has the labels of the control plane, those of now and those of before. */
  readonly isControlPlane?: boolean;
  readonly isReady?: boolean;
  readonly isUnschedulable?: boolean;
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  readonly capacity?: {
    readonly cpu?: string;
    readonly memory?: string;
    readonly 'ephemeral-storage'?: string;
    readonly pods?: string;
  };
}

const PRESSURES = ['MemoryPressure', 'DiskPressure', 'PIDPressure'];
const CAPACITY = { cpu: '4', memory: '16393244Ki', 'ephemeral-storage': '61255492Ki', pods: '110' };
const CONTROL_PLANE_LABELS = {
  'node-role.kubernetes.io/control-plane': '',
  'node-role.kubernetes.io/master': '',
};
/** As the node lifecycle controller marks a node that is not heard of. */
const UNREACHABLE = 'node.kubernetes.io/unreachable';

export class Kubelets {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Makes the node, or brings its report up to date; spec and what others have put into its metadata stay. */
  report(name: string, options: KubeletOptions): KubeObject {
    const { store, clock } = this.#cluster;
    const known = store.get(NODES, '', name);
    const { labels = {}, annotations = {}, hostname = name } = options;
    const roles = options.isControlPlane ? CONTROL_PLANE_LABELS : {};
    const node: KubeObject = known ?? {
      metadata: { name, uid: randomUUID(), resourceVersion: '', creationTimestamp: timeText(clock.now()) },
      spec: {},
    };
    node.metadata.labels = {
      'kubernetes.io/hostname': hostname,
      'kubernetes.io/os': 'linux',
      ...node.metadata.labels,
      ...roles,
      ...labels,
    };
    node.metadata.annotations = { ...node.metadata.annotations, ...annotations };
    if (options.isUnschedulable) node['spec'] = { ...fieldsAt(node, 'spec'), unschedulable: true };
    node['status'] = this.#statusOf(hostname, options);
    return store.write(NODES, tidy(node));
  }

  /** Unknown: it is not heard of any more. False: it says itself that it is not ready. */
  notReady(name: string, status: 'Unknown' | 'False'): void {
    this.#setReady(name, status);
  }

  ready(name: string): void {
    this.#setReady(name, 'True');
  }

  /** It is there again, after another boot. */
  reboot(name: string, bootId: string): void {
    this.#change(name, node => {
      const status = fieldsAt(node, 'status');
      node['status'] = { ...status, nodeInfo: { ...fieldsAt(status, 'nodeInfo'), bootID: bootId } };
    });
    this.ready(name);
  }

  #setReady(name: string, status: 'True' | 'False' | 'Unknown'): void {
    this.#change(name, node => {
      node['status'] = { ...fieldsAt(node, 'status'), conditions: this.#conditions(status, node) };
      const spec = fieldsAt(node, 'spec');
      const others = listAt(spec, 'taints').filter(taint => textAt(taint, 'key') !== UNREACHABLE);
      const marks = ['NoSchedule', 'NoExecute'].map(effect => ({ key: UNREACHABLE, effect }));
      node['spec'] = { ...spec, taints: [...others, ...(status === 'Unknown' ? marks : [])] };
    });
  }

  #change(name: string, change: (node: KubeObject) => void): void {
    const node = this.#cluster.store.get(NODES, '', name);
    if (node === undefined) throw new Error(`no kubelet was started for ${name}`);
    change(node);
    this.#cluster.store.write(NODES, tidy(node));
  }

  #statusOf(hostname: string, options: KubeletOptions): Fields {
    const capacity = { ...CAPACITY, ...options.capacity };
    return {
      addresses: [
        { type: 'InternalIP', address: options.address },
        { type: 'Hostname', address: hostname },
      ],
      capacity,
      allocatable: capacity,
      conditions: this.#conditions((options.isReady ?? true) ? 'True' : 'False'),
      nodeInfo: {
        machineID: options.machineId ?? randomUUID().replaceAll('-', ''),
        systemUUID: randomUUID(),
        bootID: options.bootId ?? randomUUID(),
        kernelVersion: '6.1.0-21-amd64',
        osImage: options.osImage ?? 'Debian GNU/Linux 12 (bookworm)',
        containerRuntimeVersion: 'containerd://1.6.20',
        kubeletVersion: options.kubeletVersion ?? `v1.${this.#cluster.minor}.2`,
        kubeProxyVersion: options.kubeletVersion ?? `v1.${this.#cluster.minor}.2`,
        operatingSystem: 'linux',
        architecture: 'amd64',
      },
    };
  }

  /** When one has last been heard of stays, once it is not heard of. */
  #conditions(ready: 'True' | 'False' | 'Unknown', before?: KubeObject): Fields[] {
    const now = timeText(this.#cluster.clock.now());
    const [heard] = listAt(before, 'status', 'conditions').map(one => textAt(one, 'lastHeartbeatTime'));
    const times = { lastHeartbeatTime: ready === 'Unknown' ? (heard ?? now) : now, lastTransitionTime: now };
    const silent = { reason: 'NodeStatusUnknown', message: 'Kubelet stopped posting node status.' };
    const [isWell, isSilent] = [ready === 'True', ready === 'Unknown'];
    const pressure = isSilent ? silent : { reason: 'KubeletIsFine', message: 'kubelet has no pressure' };
    const state = isWell
      ? { reason: 'KubeletReady', message: 'kubelet is posting ready status' }
      : { reason: 'KubeletNotReady', message: 'container runtime network not ready' };
    return [
      ...PRESSURES.map(type => ({ type, status: isSilent ? 'Unknown' : 'False', ...times, ...pressure })),
      { type: 'Ready', status: ready, ...times, ...(isSilent ? silent : state) },
    ];
  }
}
