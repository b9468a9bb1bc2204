import { optionsConform } from '../../options-conformance.ts';
import { flannelKube } from './flannel-kube.ts';

optionsConform(flannelKube, {
  good: [
    ['no options', {}],
    ['a network and a backend', { network: '10.244.0.0/16', backend: 'vxlan' }],
    ['a network of IPv6', { network: 'fd00:10:244::/56' }],
  ],
  bad: [
    ['a network without length', { network: '10.244.0.0' }, ['/network']],
    ['a backend in capitals', { backend: 'VXLAN' }, ['/backend']],
    ['what belongs to etcd', { endpoints: ['http://a'], prefix: '/a' }, ['/endpoints', '/prefix']],
  ],
});
