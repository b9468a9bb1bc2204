import { optionsConform } from '../../options-conformance.ts';
import { swarm } from './swarm.ts';

const server_url = 'tcp://10.0.0.1:2376';

optionsConform(swarm, {
  good: [
    ['the URL alone', { server_url }],
    ['https', { server_url: 'https://manager:2376/' }],
    ['IPv6', { server_url: 'tcp://[fd00::1]:2376' }],
    ['TLS files', { server_url, ca_path: '/ca', certificate_path: '/c', certificate_key_path: '/k' }],
  ],
  bad: [
    ['no URL', {}, ['/server_url']],
    ['a socket', { server_url: 'unix:///run/docker.sock' }, ['/server_url']],
    ['a URL without host', { server_url: 'tcp://:2376' }, ['/server_url']],
    ['a certificate without its key', { server_url, certificate_path: '/c' }, ['']],
    ['a token', { server_url, token: 'x' }, ['/token']],
  ],
});
