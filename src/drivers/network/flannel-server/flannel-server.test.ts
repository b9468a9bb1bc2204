import { optionsConform } from '../../options-conformance.ts';
import { flannelServer } from './flannel-server.ts';

optionsConform(flannelServer, {
  good: [
    ['an address and port', { address: '10.0.0.1:8888' }],
    ['a name and port', { address: 'flannel.example.com:8888' }],
    ['IPv6', { address: '[fd00::1]:8888' }],
  ],
  bad: [
    ['no address', {}, ['/address']],
    ['an empty address', { address: '' }, ['/address']],
    ['a URL', { address: 'http://10.0.0.1:8888' }, ['/address']],
    ['a port that is no number', { address: '10.0.0.1:flannel' }, ['/address']],
    ['an address that is no text', { address: 8888 }, ['/address']],
    ['an option that is not known', { address: '10.0.0.1:8888', port: 1 }, ['/port']],
  ],
});
