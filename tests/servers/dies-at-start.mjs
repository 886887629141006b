console.error('looking for a key');
console.error('no key in the environment, sk-abcdefghijklmnop is not one');
process.exit(3);
