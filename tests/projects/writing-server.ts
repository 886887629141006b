import { serveVault } from '../vault-server/serve-vault';

/** Creates tasks in a vault through a server in this process. */
const [root = '', count = '0'] = process.argv.slice(2);
const vault = await serveVault(root);
for (let at = 0; at < Number(count); at++) {
  const told = await vault.ask('create_entity', {
    type: 'task',
    data: { title: `Theirs ${at}`, parent: 'S-001' },
  });
  if (!told.includes('"id"')) throw new Error(told);
}
await vault.close();
