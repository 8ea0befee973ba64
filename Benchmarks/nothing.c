// A program that opens nothing: what starting any dynamically linked program costs here.
int main(void) { return 0; }
