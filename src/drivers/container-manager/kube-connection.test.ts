import { optionsConform } from '../../../test/conformance/driver-options.ts';
import { kubernetes } from './kubernetes/kubernetes.ts';
import { openshift } from './openshift/openshift.ts';

const server_url = 'https://10.0.0.1:6443';

for (const driver of [kubernetes, openshift]) {
  optionsConform(driver, {
    good: [
      ['only a URL', { server_url }],
      ['a token', { server_url, token: 'secret', ca_path: '/etc/ca.pem' }],
      ['a client certificate', { server_url, certificate_path: '/c.pem', certificate_key_path: '/k.pem' }],
      ['existing nodes', { server_url, join: false }],
    ],
    bad: [
      ['no URL', {}, ['/server_url']],
      ['a URL without scheme', { server_url: '10.0.0.1:6443' }, ['/server_url']],
      ['a URL with a password', { server_url: 'https://admin:x@10.0.0.1' }, ['/server_url']],
      ['a certificate without its key', { server_url, certificate_path: '/c.pem' }, ['/certificate_key_path']],
      ['a key without its certificate', { server_url, certificate_key_path: '/k.pem' }, ['/certificate_path']],
      ['a relative path', { server_url, ca_path: 'ca.pem' }, ['/ca_path']],
      [
        'several invalid options',
        { token: '', join: 'yes', ca_path: '', x: 1 },
        ['/server_url', '/token', '/join', '/ca_path', '/x'],
      ],
    ],
  });
}
