// Health check of the container: exits with 0 if the server responds, otherwise with 1. It tries HTTP and HTTPS and accepts any certificate.

import { get as getByHttp } from 'node:http';
import { get as getByHttps } from 'node:https';

const [port] = /\d+$/.exec(process.env.HOSTLER_LISTEN ?? '') ?? ['8000'];
const target = { host: '127.0.0.1', port, path: '/healthz', timeout: 3000, rejectUnauthorized: false };

const isHealthy = get =>
  new Promise(resolve => {
    const request = get(target, response => resolve(response.resume().statusCode === 200));
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
  });

process.exit((await isHealthy(getByHttp)) || (await isHealthy(getByHttps)) ? 0 : 1);
