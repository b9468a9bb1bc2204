import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * Whether this is a checkout, which runs its sources. A package has none: Node strips no types under `node_modules`.
 *
 * @param {string} root
 * @returns {boolean}
 */
export const isCheckout = root => existsSync(path.join(root, 'src'));
