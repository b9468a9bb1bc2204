// Whether the service in this container answers: ends with status 0, or 1. By TLS where it has that, whoever its certificate is for.

import { get as getByHttp } from 'node:http';
import { get as getByHttps } from 'node:https';

const [port] = /\d+$/.exec(process.env.HOSTLER_LISTEN ?? '') ?? ['8000'];
const target = { host: '127.0.0.1', port, path: '/healthz', timeout: 3000, rejectUnauthorized: false };

const answers = get =>
  new Promise(resolve => {
    const request = get(target, response => resolve(response.resume().statusCode === 200));
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });

process.exit((await answers(getByHttp)) || (await answers(getByHttps)) ? 0 : 1);
