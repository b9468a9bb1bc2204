import { optionsConform } from '../../options-conformance.ts';
import { k3s } from './k3s.ts';

const server_url = 'https://10.0.0.1:6443';

optionsConform(k3s, {
  good: [
    ['the URL alone', { server_url }],
    ['a token and an authority', { server_url, token: 'K10abc::server:x', ca_path: '/etc/ca.pem' }],
  ],
  bad: [
    ['no URL', { token: 'x' }, ['/server_url']],
    ['an empty token', { server_url, token: '' }, ['/token']],
    ['a token that is no text', { server_url, token: 5 }, ['/token']],
    [
      'a client certificate',
      { server_url, certificate_path: '/c', certificate_key_path: '/k' },
      ['/certificate_path', '/certificate_key_path'],
    ],
  ],
});
