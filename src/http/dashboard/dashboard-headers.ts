import path from 'node:path';

/**
 * A page may load and ask its own server and nobody else. Text never becomes a script by mistake: where the browser would take one,
 * it asks for a type that only a policy of ours makes.
 */
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

/** What a page could ask a visitor for, and this one never does. */
const DISABLED_FEATURES = [
  'camera',
  'display-capture',
  'geolocation',
  'microphone',
  'midi',
  'payment',
  'usb',
];

export const PAGE_HEADERS = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': DISABLED_FEATURES.map(feature => `${feature}=()`).join(', '),
  // It may be kept, but is asked for each time: it names the assets of its own build.
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

/** The names of assets hold a digest of their content. */
const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';

export const assetHeaders = (name: string): Readonly<Record<string, string>> => ({
  'cache-control': IMMUTABLE_CACHE,
  'content-type': CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream',
  // A worker keeps to the policy that came with its own script.
  ...(name.endsWith('.js') && { 'content-security-policy': CONTENT_SECURITY_POLICY }),
});
