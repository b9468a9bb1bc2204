import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractPlugin } from './vite-contract-plugin.ts';
import { DEV_PROXY } from './vite-dev-proxy.ts';

const src = path.resolve(import.meta.dirname, '../src');

export default defineConfig({
  plugins: [contractPlugin(path.join(src, 'contract')), react()],
  resolve: {
    alias: [
      { find: /^#sdk\//, replacement: `${src}/sdk/` },
      { find: /^#contract\//, replacement: `${src}/contract/` },
      { find: '#vocabulary', replacement: `${src}/domain/vocabulary.ts` },
    ],
  },
  build: {
    outDir: process.env['HOSTLER_WEB_OUT'] ?? '../dist/web',
    emptyOutDir: true,
    // Browsers of the last two years.
    target: ['chrome120', 'firefox121', 'safari17'],
    // The content security policy allows data: URLs only for images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es', plugins: () => [contractPlugin(path.join(src, 'contract'))] },
  server: { proxy: DEV_PROXY },
});
