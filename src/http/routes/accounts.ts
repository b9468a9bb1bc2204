import type { App } from '../../app/index.ts';
import type { accountRoutes } from '../../contract/routes/accounts.ts';
import { AppError } from '../../domain/errors.ts';
import { toRecordName } from '../../domain/record-name.ts';
import { Secret } from '../../domain/secret.ts';
import { answerList, pageOfNames } from '../answers/paging.ts';
import type { HandlersOf } from '../call.ts';
import { viewAccount } from '../views/account.ts';

export const accountHandlers = ({ accounts }: App): HandlersOf<typeof accountRoutes> => ({
  listAccounts: async ({ query, url }) => {
    const page = pageOfNames(query);
    if (page instanceof AppError) return page;
    return answerList(
      url,
      await accounts.list(page),
      account => account.name,
      account => JSON.stringify(viewAccount(account)),
    );
  },

  getOwnAccount: async ({ actor }) => {
    const account = await accounts.get(toRecordName(actor.account));
    return account instanceof AppError ? account : { body: viewAccount(account) };
  },

  getAccount: async ({ params }) => {
    const account = await accounts.get(params.name);
    return account instanceof AppError ? account : { body: viewAccount(account) };
  },

  putAccount: async ({ actor, params, body }) => {
    const { password, role } = body;
    const result = await accounts.put(actor, { name: params.name, password: new Secret(password), role });
    return result instanceof AppError ? result : { body: viewAccount(result.record), isNew: result.isNew };
  },

  changePassword: async ({ actor, params, body }) => {
    const account = await accounts.changePassword(actor, params.name, new Secret(body.password));
    return account instanceof AppError ? account : { body: viewAccount(account) };
  },

  removeAccount: async ({ actor, params }) => (await accounts.remove(actor, params.name)) ?? { body: [] },
});
