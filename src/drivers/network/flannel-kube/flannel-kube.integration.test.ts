import { describe, expect, test } from 'vitest';
import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import { networkConforms } from '../../../../test/conformance/network.ts';
import { networkContext } from '../../../../test/harness/driver-contexts.ts';
import { FLANNEL_NETWORK, onFlannelHost } from '../../../../test/harness/shells/flannel-host.ts';
import { describeInMinimalRoot } from '../../../../test/harness/shells/minimal-root.ts';
import { flannelKube } from './flannel-kube.ts';

optionsConform(flannelKube, {
  good: [
    ['no options', {}],
    ['a network and a backend', { network: '10.244.0.0/16', backend: 'vxlan' }],
    ['an IPv6 network', { network: 'fd00:10:244::/56' }],
  ],
  bad: [
    ['a network without length', { network: '10.244.0.0' }, ['/network']],
    ['a backend in uppercase', { backend: 'VXLAN' }, ['/backend']],
    ['options of flannel_etcd', { endpoints: ['http://a'], prefix: '/a' }, ['/endpoints', '/prefix']],
  ],
});

const SUBNET = {
  '/run/flannel/subnet.env': `FLANNEL_NETWORK=${FLANNEL_NETWORK}\nFLANNEL_SUBNET=10.1.2.1/24\n`,
};

describeInMinimalRoot('flannel_kube on a host', () =>
  networkConforms('flannel_kube', {
    open: () => flannelKube.open(networkContext({ network: FLANNEL_NETWORK }, { managerType: 'k3s' })),
    onHost: onFlannelHost({ files: SUBNET }),
  }),
);

describe('flannel_kube', () => {
  test.each([['kubernetes'], ['k3s'], ['openshift']])('supports %s', async managerType => {
    expect(await flannelKube.open(networkContext({}, { managerType })).ensureConfigured()).toBeUndefined();
  });

  test.each([[null], ['swarm'], ['trivial']])('rejects the container manager %s', async managerType => {
    expect(await flannelKube.open(networkContext({}, { managerType })).ensureConfigured()).toBe(
      'flannel_kube requires a cluster whose container manager has one of the types kubernetes, k3s, openshift',
    );
  });
});
