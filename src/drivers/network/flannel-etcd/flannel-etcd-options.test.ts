import { optionsConform } from '../../../../test/conformance/driver-options.ts';
import { flannelEtcd } from './flannel-etcd.ts';

optionsConform(flannelEtcd, {
  good: [
    ['no options', {}],
    ['several etcd members', { endpoints: ['http://10.0.0.1:2379', 'https://etcd-2:2379'] }],
    ['a prefix and a network', { prefix: '/coreos.com/network', network: '10.1.0.0/16' }],
    ['a backend type', { backend: 'host-gw' }],
    ['a backend object', { backend: { Type: 'vxlan', VNI: 1, Port: 8472 } }],
    ['TLS files', { ca_path: '/ca', certificate_path: '/c', certificate_key_path: '/k' }],
  ],
  bad: [
    ['no etcd members', { endpoints: [] }, ['/endpoints']],
    ['a URL instead of a list', { endpoints: 'http://10.0.0.1:2379' }, ['/endpoints']],
    ['members that are not URLs', { endpoints: ['http://a', 'b', 'c:2379'] }, ['/endpoints/1', '/endpoints/2']],
    ['an invalid prefix', { prefix: 'network' }, ['/prefix']],
    ['an invalid network', { network: '10.1.0.0/33' }, ['/network']],
    ['an address instead of a network', { network: '10.1.0.0' }, ['/network']],
    ['a backend without type', { backend: { VNI: 1 } }, ['/backend']],
    ['a key without its certificate', { certificate_key_path: '/k' }, ['/certificate_path']],
    [
      'several invalid options',
      { endpoints: 1, prefix: 2, network: 3, backend: 4, x: 5 },
      ['/endpoints', '/prefix', '/network', '/backend', '/x'],
    ],
  ],
});
