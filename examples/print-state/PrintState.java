import dev.portolan.client.Portolan;

void main(String[] args) {
  Portolan.run(args, state -> state.services().forEach(IO::println));
}
