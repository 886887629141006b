// Imported first, and written so that any Node can read it.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 11)) {
  console.error('Interlinear needs Node 20.11 or newer to start, and this is ' + process.versions.node + '.');
  process.exit(1);
}
