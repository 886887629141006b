process.stderr.write('looking for a key\n');
process.stderr.write('no key in the environment, sk-abcdefghijklmnop is not one\n');
process.exit(3);
