import path from 'node:path';

/** Pages can load from and connect to this server only. Trusted Types prevent scripts from text (DOM XSS). */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const DISABLED_FEATURES = ['camera', 'display-capture', 'geolocation', 'microphone', 'midi', 'payment', 'usb'];

export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': DISABLED_FEATURES.map(feature => `${feature}=()`).join(', '),
  // Revalidated on each load, because the page names the assets of its build.
  'cache-control': 'no-cache',
  'content-type': 'text/html; charset=utf-8',
};

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Asset names contain a content hash. */
const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';

export const assetHeaders = (name: string): Readonly<Record<string, string>> => ({
  'cache-control': IMMUTABLE_CACHE,
  'content-type': CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream',
  // A worker uses the policy of its own script.
  ...(name.endsWith('.js') && { 'content-security-policy': CONTENT_SECURITY_POLICY }),
});
